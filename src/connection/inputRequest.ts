/** One choice of a list: what is sent, and what a person reads. */
export interface InputOption {
  readonly value: string;
  readonly title: string;
}

interface FieldBase {
  /** The property's name: the key of the answer. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required: boolean;
}

export type TextFormat = 'email' | 'uri' | 'date' | 'date-time';

export interface TextField extends FieldBase {
  readonly kind: 'text';
  readonly format?: TextFormat;
  /** Characters (code points). */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The server's own regular expression: never run but with a limit of time. */
  readonly pattern?: string;
  readonly default?: string;
}

export interface NumberField extends FieldBase {
  readonly kind: 'number';
  readonly integer: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

export interface BooleanField extends FieldBase {
  readonly kind: 'boolean';
  readonly default?: boolean;
}

export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly options: readonly InputOption[];
  readonly default?: string;
}

export interface ChoicesField extends FieldBase {
  readonly kind: 'choices';
  readonly options: readonly InputOption[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: readonly string[];
}

/** A property of a form (specification: client/elicitation, requested schema). */
export type InputField = TextField | NumberField | BooleanField | ChoiceField | ChoicesField;

interface RequestBase {
  readonly serverId: string;
  /** The resource that is being read, where it is known. */
  readonly uri?: string;
  /** The server's words. */
  readonly message: string;
}

/** The server asks for values (specification: client/elicitation, form mode). */
export interface FormRequest extends RequestBase {
  readonly kind: 'form';
  readonly fields: readonly InputField[];
}

/** The server asks a person to visit an address (specification: client/elicitation, URL mode). */
export interface UrlRequest extends RequestBase {
  readonly kind: 'url';
  /** As the server sent it. */
  readonly url: string;
  /**
   * True: the read goes on when the person says that the visit is done, or `completed` resolves. False: consent is the
   * answer, and the server waits for the visit by itself.
   */
  readonly waitsForVisit: boolean;
  /** Resolves when the server says that the visit is done (2025-11-25). */
  readonly completed?: Promise<void>;
}

export type InputRequest = FormRequest | UrlRequest;

export type InputValue = string | number | boolean | readonly string[];

/** What a person said (specification: client/elicitation, response actions). `content` belongs to forms alone. */
export type InputAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, InputValue>> }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** Asks a person. */
export interface InputHandler {
  /** Never rejects for what a person does; once the signal aborts nothing is shown any more and the answer is `cancel`. */
  ask(request: InputRequest, signal: AbortSignal): Promise<InputAnswer>;
}
