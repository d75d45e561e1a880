// Leaves nothing behind when a run is interrupted: servers live in process groups of their own, so Ctrl+C does not reach them.

/** @type {Set<() => void>} */
const actions = new Set();
let listening = false;

/**
 * Runs a synchronous clean-up action when the process ends, however it ends short of SIGKILL.
 * @param {() => void} action
 * @returns {() => void} takes the action back
 */
export function atExit(action) {
  if (!listening) {
    listening = true;
    process.on('exit', runAll);
    for (const [signal, code] of /** @type {const} */ ([
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ])) {
      process.on(signal, () => process.exit(code));
    }
  }
  actions.add(action);
  return () => actions.delete(action);
}

function runAll() {
  for (const action of [...actions].reverse()) {
    try {
      action();
    } catch (error) {
      console.error(error);
    }
  }
  actions.clear();
}
