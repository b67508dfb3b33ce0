import { configureStore } from '@reduxjs/toolkit'
import { api, tagTypes } from './api.ts'

/** The landing page's entry does not import this file, so that it loads no Redux. */
export const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware),
})

/**
 * After Back from the checkout or the billing portal, the browser may restore the page with its old
 * cache. In this case all data is refetched.
 */
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) store.dispatch(api.util.invalidateTags([...tagTypes]))
})

export type AppStore = typeof store
