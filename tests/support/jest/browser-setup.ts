import '@testing-library/jest-dom/jest-globals'

// antd ends its animations in its own timers, which a test cannot wrap in `act`. Tests wait for the
// results with findBy… and waitFor, so the warning, 80 lines each time, has no use.
const { error } = console
console.error = (...args: unknown[]) => {
  if (typeof args[0] === 'string' && args[0].includes('not wrapped in act(')) return
  error(...args)
}
