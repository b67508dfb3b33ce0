import '@testing-library/jest-dom/jest-globals'
import { configure, getConfig } from '@testing-library/dom'

// antd ends its animations in its own timers, which a test cannot wrap in `act`. Tests wait for the
// results with findBy… and waitFor, so the warning, 80 lines each time, has no use.
const { error } = console
console.error = (...args: unknown[]) => {
  if (typeof args[0] === 'string' && args[0].includes('not wrapped in act(')) return
  error(...args)
}

/*
 * Each try of findBy… and waitFor that finds nothing would print the whole document into an error
 * that is thrown away. The last error has the document nevertheless.
 */
const { getElementError } = getConfig()
configure({
  getElementError: (message, container) =>
    isTry()
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(message, container),
})

/** Whether findBy… or waitFor calls the query. */
function isTry(): boolean {
  const config: object = getConfig()
  return (
    '_disableExpensiveErrorDiagnostics' in config &&
    config._disableExpensiveErrorDiagnostics === true
  )
}
