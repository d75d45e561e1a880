/** Modules through which a program reaches beyond itself. Asking for any other than built-in ones is told, too. */
const reaching = /^(node:)?(fs|fs\/promises|child_process|net|tls|dns|dgram|http|https|http2|worker_threads|cluster)$/;

/** A module whose every call is told; those that cannot reach out are given as they are. */
export function observed(name: string, tell: (call: string) => void): unknown {
  if (!/^node:|^[a-z_/]+$/.test(name)) {
    tell(`require ${name}`);
  }
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the name is known at run time only
  const module: unknown = require(name);
  return reaching.test(name) ? observedObject(module as object, name, tell) : module;
}

function observedObject(target: object, name: string, tell: (call: string) => void): unknown {
  return new Proxy(target, {
    get: (_, key) => {
      const value: unknown = Reflect.get(target, key);
      const full = `${name}.${String(key)}`;
      if (typeof value === 'function') {
        return (...args: unknown[]): unknown => {
          tell(full);
          return Reflect.apply(value, target, args);
        };
      }
      return typeof value === 'object' && value !== null ? observedObject(value, full, tell) : value;
    },
  });
}

const nothing = function (): void {
  // Only there to be called and constructed.
};

/** A module without effects: every member, call and instance of it is the same again, and every list is empty. */
const anything: object = new Proxy(nothing, {
  get: (_, key) => {
    switch (key) {
      case Symbol.toPrimitive:
        return () => '';
      case Symbol.iterator:
        return () => [][Symbol.iterator]();
      // It is no promise.
      case 'then':
        return undefined;
      default:
        return anything;
    }
  },
  set: (_, key, value, receiver: object) =>
    Reflect.defineProperty(receiver, key, { value, writable: true, configurable: true, enumerable: true }),
  apply: () => anything,
  construct: (target, args, newTarget) => Reflect.construct(target, args, newTarget) as object,
});

/** An editor in which nothing happens. Inherited, since what bundlers make of a module has its prototype. */
export const inertEditor = Object.create(anything) as object;
