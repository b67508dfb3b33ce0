import '@testing-library/jest-dom/jest-globals'

// antd ends its animations in timers of its own, which no test can wrap in `act`. What they change is
// waited for with findBy… and waitFor, so the warning tells nothing, at 80 lines each time.
const { error } = console
console.error = (...args: unknown[]) => {
  if (typeof args[0] === 'string' && args[0].includes('not wrapped in act(')) return
  error(...args)
}
