import asyncHooks from 'node:async_hooks'

const { AsyncLocalStorage } = asyncHooks

/**
 * Returns a function that disables each AsyncLocalStorage that was made since. jest-circus makes
 * one per test file and never disables it, and Node.js 20 and 22 update every enabled storage at
 * each new promise, so each file of a worker would slow the files after it.
 */
export function trackAsyncStorages() {
  const made = []
  asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
    constructor(...options) {
      super(...options)
      made.push(this)
    }
  }
  return () => {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage
    for (const storage of made) storage.disable()
  }
}
