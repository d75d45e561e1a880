import { Emitter } from '../base/events';
import type { Disposable } from '../base/lifecycle';
import type { Memento } from '../base/memento';

const KEY = 'otherTools';

/** Which other tools' servers a person wants to see here, by the tool's id: yes, no, or not asked yet. */
export class ToolChoice implements Disposable {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;

  constructor(private readonly memory: Memento) {}

  answer(toolId: string): boolean | undefined {
    const answer = this.answers()[toolId];
    return typeof answer === 'boolean' ? answer : undefined;
  }

  async set(answers: Readonly<Record<string, boolean>>): Promise<void> {
    await this.memory.update(KEY, { ...this.answers(), ...answers });
    this.changes.fire();
  }

  dispose(): void {
    this.changes.dispose();
  }

  private answers(): Record<string, unknown> {
    const answers = this.memory.get(KEY);
    return typeof answers === 'object' && answers !== null ? { ...answers } : {};
  }
}
