import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { act, configure, screen, waitFor } from '@testing-library/react'
import { joinLiveTabs } from '../../web/api/live/live-tabs.ts'
import { aUser, pageOf, summary } from './support/admin-data.ts'
import { owner, session } from './support/auth-answers.ts'
import { refusal, startApiServer } from './support/api-server.ts'
import { fakeEventSources } from './support/fake-event-source.ts'
import { openPage, preload } from './support/open-page.tsx'
import { aChange, aSubscription, today } from './support/purchases-data.ts'

preload(
  () => import('../../web/features/admin/tabs/block-dialog.tsx'),
  () => import('../../web/features/admin/tabs/override-dialog.tsx'),
)
preload(() => import('../../web/features/admin/admin-page.tsx'))
preload(() => import('../../web/api/live/start-live-updates.ts'))

const server = startApiServer()
const opened = fakeEventSources()
const list = '/api/admin/users?page=1&pageSize=20&sort=created_at&order=desc&status=all'
const last = () => opened.at(-1)!
const requestsOf = (path: string) => server.calls.filter((call) => call.path === path)

/** Opens the dashboard, and waits until the page watches the cards and the list. */
async function openDashboard() {
  localStorage.setItem('adminAuthenticated', 'true')
  server.get('/api/auth/session', { ...session, ...owner, now: today })
  server.get('/api/admin/summary', summary)
  server.get('/api/admin/users', pageOf([aUser()]))
  server.get('/api/subscriptions/:userId', [aSubscription()])
  server.get('/api/admin/subscription-changes', { changes: [aChange()] })
  const page = openPage('/admin/dashboard')
  await screen.findByRole('cell', { name: 'dana@birchwooddental.example' })
  await waitFor(() => expect(opened.at(-1)?.watched).toEqual(['/api/admin/summary', list]))
  last().open()
  last().send('moved', { users: '1', purchases: '1' })
  return page
}

// The time passes as it does outside, and `pass` skips a wait.
beforeEach(() => void jest.useFakeTimers({ advanceTimers: true }))
afterEach(() => void jest.useRealTimers())

// While a search for an element computes, the fake clock stands still: 2 s of it can take a minute.
configure({ asyncUtilTimeout: 2_000 })

const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds))

/** An answer in this time after a request may be older than the answer of the request. */
const afterRequests = () => pass(1_100)

function setVisibility(state: 'visible' | 'hidden'): void {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}
afterEach(() => void Reflect.deleteProperty(document, 'visibilityState'))

describe('the dashboard', () => {
  it('shows an answer of the stream without a request, and keeps an expanded row', async () => {
    const { user } = await openDashboard()
    await user.click(screen.getByRole('button', { name: /Details/ }))
    await screen.findByText('Current subscriptions')
    await afterRequests()
    const before = requestsOf('/api/admin/users').length
    last().send('answer', {
      call: list,
      answer: pageOf([aUser({ email: 'new@birchwooddental.example' })]),
    })
    await screen.findByRole('cell', { name: 'new@birchwooddental.example' })
    expect(requestsOf('/api/admin/users')).toHaveLength(before)
    expect(screen.getByText('Current subscriptions')).toBeInTheDocument()
    expect(screen.queryByText('Refreshing data...')).not.toBeInTheDocument()
  })

  it('fetches from the server if an answer may be older than that of a request', async () => {
    await openDashboard()
    const before = requestsOf('/api/admin/users').length
    last().send('answer', {
      call: list,
      answer: pageOf([aUser({ email: 'old@birchwooddental.example' })]),
    })
    await waitFor(() => expect(requestsOf('/api/admin/users')).toHaveLength(before + 1))
    expect(screen.queryByText('old@birchwooddental.example')).not.toBeInTheDocument()
  })

  it('fetches what the server does not watch at most once in 1.5 s, in the background', async () => {
    const { user } = await openDashboard()
    await user.click(screen.getByRole('button', { name: /Details/ }))
    await screen.findByText('Current subscriptions')
    await pass(1_500)
    const path = '/api/admin/subscription-changes'
    const before = requestsOf(path).length
    const since = Date.now()
    for (let position = 2; position < 12; position += 1) {
      last().send('moved', { users: String(position) })
      await pass(100)
    }
    const maxRefetches = 1 + Math.floor((Date.now() - since) / 1_500)
    const refetched = requestsOf(path).slice(before)
    expect(refetched.length).toBeGreaterThan(0)
    expect(refetched.length).toBeLessThanOrEqual(maxRefetches)
    expect(refetched.at(-1)?.headers.get('x-background')).toBe('1')
  })

  it('watches nothing while its tab is hidden, and catches up when it is shown', async () => {
    await openDashboard()
    setVisibility('hidden')
    await waitFor(() => expect(last().watched).toEqual([]))
    setVisibility('visible')
    await waitFor(() => expect(last().watched).toEqual(['/api/admin/summary', list]))
    await afterRequests()
    last().send('answer', {
      call: list,
      answer: pageOf([aUser({ email: 'new@birchwooddental.example' })]),
    })
    await screen.findByRole('cell', { name: 'new@birchwooddental.example' })
  })

  it('connects again after a restart of the server answered 503', async () => {
    await openDashboard()
    server.get('/api/admin/live', refusal(503, { error: 'The service is starting.' }))
    const before = opened.length
    last().fail()
    await pass(500)
    expect(opened.length).toBe(before + 1)
    last().fail()
    await pass(1_000)
    expect(opened.length).toBe(before + 2)
    expect(opened.filter(({ isClosed }) => !isClosed)).toEqual([last()])
  })

  it('connects at once when the network returns', async () => {
    await openDashboard()
    const before = opened.length
    last().fail()
    act(() => void window.dispatchEvent(new Event('online')))
    expect(opened.length).toBe(before + 1)
  })

  it('connects again after the sleep of the laptop, without any act', async () => {
    await openDashboard()
    const before = opened.length
    jest.setSystemTime(Date.now() + 3_600_000)
    // Sooner than the next search for a dead connection.
    await pass(1_000)
    expect(opened.length).toBe(before + 1)
    expect(last().watched).toEqual(['/api/admin/summary', list])
  })

  it('connects again when the network returns while a connection does not open', async () => {
    await openDashboard()
    last().fail()
    const before = opened.length
    await pass(500)
    expect(opened.length).toBe(before + 1)
    act(() => void window.dispatchEvent(new Event('online')))
    expect(opened.length).toBe(before + 2)
    expect(opened.filter(({ isClosed }) => !isClosed)).toEqual([last()])
  })

  it('connects again on return if the laptop slept', async () => {
    await openDashboard()
    const before = opened.length
    jest.setSystemTime(Date.now() + 31_000)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(opened.length).toBe(before + 1)
  })

  it('shows the login, and does not connect again, when the session has ended', async () => {
    await openDashboard()
    server.get('/api/admin/live', refusal(401, { error: 'Log in as an administrator first.' }))
    last().fail()
    await pass(500)
    expect(last().isClosed).toBe(false)
    last().fail()
    expect(await screen.findByLabelText('Password')).toBeInTheDocument()
    const before = opened.length
    await pass(60_000)
    expect(opened.length).toBe(before)
  })

  it('shows the login when the stream reports the end of the session', async () => {
    await openDashboard()
    last().send('ended', {})
    expect(await screen.findByLabelText('Password')).toBeInTheDocument()
    expect(last().isClosed).toBe(true)
  })
})

describe('the tabs of a browser', () => {
  it('share one connection, which another tab takes over', async () => {
    const restore = fakeLocksAndChannels()
    const received: string[] = []
    const join = (name: string) =>
      joinLiveTabs({
        onChange: (change) => void received.push(`${name} ${change.kind}`),
        onConnected: () => undefined,
        onEnded: () => undefined,
      })
    const first = join('first')
    const second = join('second')
    first.watch(['/api/admin/summary'])
    second.watch(['/api/admin/users?page=2'])
    const both = ['/api/admin/summary', '/api/admin/users?page=2']
    await waitFor(() => expect(opened.at(-1)?.watched).toEqual(both))
    expect(opened.filter(({ isClosed }) => !isClosed)).toHaveLength(1)
    last().send('moved', { users: '2' })
    await waitFor(() => expect(received).toEqual(['first moved', 'second moved']))
    first.leave()
    await waitFor(() => expect(opened.at(-1)?.watched).toEqual(['/api/admin/users?page=2']))
    expect(opened.filter(({ isClosed }) => !isClosed)).toEqual([last()])
    second.leave()
    expect(opened.filter(({ isClosed }) => !isClosed)).toEqual([])
    restore()
  })
})

/** jsdom has neither. The first request holds the lock until its promise resolves. */
function fakeLocksAndChannels(): () => void {
  let held: Promise<unknown> = Promise.resolve()
  const request = (_name: string, _options: object, work: () => Promise<void>) => {
    held = held.then(work)
    return held
  }
  const channels = new Set<EventTarget>()
  class FakeChannel extends EventTarget {
    constructor() {
      super()
      channels.add(this)
    }
    postMessage(data: unknown): void {
      const others = [...channels].filter((channel) => channel !== this)
      setTimeout(() => {
        for (const channel of others) channel.dispatchEvent(new MessageEvent('message', { data }))
      }, 0)
    }
    close(): void {
      channels.delete(this)
    }
  }
  const before = Object.getOwnPropertyDescriptor(globalThis, 'BroadcastChannel')
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true })
  Object.defineProperty(globalThis, 'BroadcastChannel', { value: FakeChannel, configurable: true })
  return () => {
    Reflect.deleteProperty(navigator, 'locks')
    if (before) Object.defineProperty(globalThis, 'BroadcastChannel', before)
    else Reflect.deleteProperty(globalThis, 'BroadcastChannel')
  }
}
