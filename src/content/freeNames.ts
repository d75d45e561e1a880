/** File names for one folder: each itself, or with a number where it is taken. Linear in how many are taken of one name. */
export class FreeNames {
  private readonly taken: Set<string>;
  /** Where to go on counting for each name: thousands may be the same. */
  private readonly numbers = new Map<string, number>();

  /** `identityOf`: names of the same identity cannot stand beside each other. */
  constructor(
    taken: Iterable<string>,
    private readonly identityOf: (name: string) => string = (name) => name,
  ) {
    this.taken = new Set(Array.from(taken, identityOf));
  }

  take(name: string): string {
    const dot = name.lastIndexOf('.');
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    let number = this.numbers.get(name) ?? 1;
    let free = number === 1 ? name : `${stem} (${number})${extension}`;
    while (this.taken.has(this.identityOf(free))) {
      number += 1;
      free = `${stem} (${number})${extension}`;
    }
    this.numbers.set(name, number);
    this.taken.add(this.identityOf(free));
    return free;
  }
}

/** The same for names that some file system takes for one: some make no difference of case, or of how an accent is spelled. */
export function fileIdentity(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}
