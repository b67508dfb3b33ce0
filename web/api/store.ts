import { configureStore } from '@reduxjs/toolkit'
import { api } from './api.ts'

/** Loaded only by what needs it: the landing page's entry has no Redux in it. */
export const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware),
})

export type AppStore = typeof store
