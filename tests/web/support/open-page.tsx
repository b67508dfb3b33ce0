import { afterEach, beforeAll } from '@jest/globals'
import { act, cleanup, configure, render } from '@testing-library/react'
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event'
import { useEffect } from 'react'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { api } from '../../../web/api/api.ts'
import { store } from '../../../web/api/store.ts'
import { AppRoutes } from '../../../web/app/router.tsx'
import { browser } from '../../../web/lib/browser.ts'
import { limitToasts } from '../../../web/lib/toasts.ts'
import { installDialogElement } from './dialog-element.ts'

installDialogElement()

// Jest compiles a page's code on first use, which takes seconds on a busy machine.
configure({ asyncUtilTimeout: 10_000 })

/**
 * What the pages did with the browser: the URLs that it was sent to, the number of reloads, the
 * names of saved files, and copied texts.
 */
export const left: { to: string[]; reloads: number; files: string[]; copied: string[] } = {
  to: [],
  reloads: 0,
  files: [],
  copied: [],
}

browser.goTo = (url) => void left.to.push(url)
browser.replaceWith = (url) => void left.to.push(url)
browser.reload = () => void left.reloads++
browser.copyText = async (text) => left.copied.push(text) > 0
browser.saveFile = (_file, name) => void left.files.push(name)

afterEach(() => {
  cleanup()
  act(() => {
    store.dispatch(api.util.resetApiState())
    limitToasts(0)
  })
  localStorage.clear()
  sessionStorage.clear()
  left.to = []
  left.reloads = 0
  left.files = []
  left.copied = []
})

/**
 * Renders the whole application at an address. `path()` returns the current path with its hash,
 * `search()` the query string.
 */
export function openPage(address: string) {
  const shown = { path: address, search: '' }
  render(
    <MemoryRouter initialEntries={[address]}>
      <AppRoutes />
      <Address onChange={(address) => void Object.assign(shown, address)} />
    </MemoryRouter>,
  )
  return {
    // jsdom loads no style sheet of the pages, so the search for `pointer-events: none` in the
    // computed styles of all ancestors would take time at each click and find nothing.
    user: userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never }),
    path: () => shown.path,
    search: () => shown.search,
  }
}

function Address({ onChange }: { onChange: (shown: { path: string; search: string }) => void }) {
  const { pathname, search, hash } = useLocation()
  useEffect(() => onChange({ path: pathname + hash, search }))
  return null
}

/**
 * Loads pages that the router loads lazily. Under load, that takes longer than a test waits for an
 * element.
 */
export function preload(...modules: readonly (() => Promise<unknown>)[]): void {
  beforeAll(async () => {
    for (const load of modules) await load()
  }, 120_000)
}
