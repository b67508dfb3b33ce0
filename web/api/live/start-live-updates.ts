import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit'
import { liveCalls, pathOfCall } from '#contracts/admin/live'
import { endSession } from '../../lib/session-values.ts'
import { api, tagTypes } from '../api.ts'
import { sessionApi } from '../session-api.ts'
import type { AppStore } from '../store.ts'
import { addressOfQuery, deliver, dropDelivered } from './delivered-answers.ts'
import { setConnected } from './live-state.ts'
import type { LiveChange } from './live-stream.ts'
import { joinLiveTabs } from './live-tabs.ts'

type State = ReturnType<AppStore['getState']>

/** From one refetch of the calls that the server does not watch to the next. */
const refetchEveryMs = 1_500

/**
 * A checkpoint moves with every event of the log, so each event concerns every read model: a map of
 * read models to tags would always select all tags.
 */
const liveTags = tagTypes.filter((tag) => tag.startsWith('Admin'))

/**
 * Keeps the queries that this tab shows up to date, until the returned function is called. The
 * server sends the answers of the `liveCalls`. Other queries are fetched again when a read model
 * has moved. A hidden tab does nothing, and catches up when it is shown.
 */
export function startLiveUpdates(store: AppStore): () => void {
  const positions = new Map<string, string>()
  /** Queries with an old answer, which this tab does not show now. */
  const stale = new Set<string>()
  let refetchTimer: ReturnType<typeof setTimeout> | undefined
  let refetchedAt = -Infinity
  let watched = ''

  const tab = joinLiveTabs({
    onChange: receive,
    onConnected: setConnected,
    onEnded: () => endSession('admin'),
  })
  const unsubscribe = store.subscribe(follow)
  document.addEventListener('visibilitychange', follow)
  follow()

  /** Watches the calls that are shown now, and fetches queries that became stale meanwhile. */
  function follow(): void {
    const keys = isHidden() ? [] : shownQueries(store.getState())
    const calls = keys.map(liveCallOf).filter((call) => call !== null)
    const next = [...new Set(calls)].sort()
    if (next.join() !== watched) {
      watched = next.join()
      tab.watch(next)
    }
    if (keys.some((key) => stale.has(key))) refetchSoon()
  }

  function receive(change: LiveChange): void {
    if (change.kind === 'role') {
      const shown = sessionApi.endpoints.getSession.select()(store.getState()).data?.administrator
      if (shown != null && shown.role !== change.role)
        store.dispatch(api.util.invalidateTags(['Session']))
      return
    }
    if (change.kind === 'answer') {
      for (const key of shownQueries(store.getState()))
        if (liveCallOf(key) === change.call) void update(key, change.answer)
      return
    }
    const moved = Object.entries(change.positions).filter(
      ([name, position]) => positions.get(name) !== position,
    )
    if (moved.length === 0) return
    for (const [name, position] of moved) positions.set(name, position)
    for (const { queryCacheKey } of api.util.selectInvalidatedBy(store.getState(), liveTags))
      if (liveCallOf(queryCacheKey) === null) stale.add(queryCacheKey)
    follow()
  }

  async function update(key: string, answer: unknown): Promise<void> {
    if (isHidden()) return
    if (deliver(key, answer)) {
      stale.delete(key)
      await refetch(key)
      // A fetch that had begun has used the network.
      dropDelivered(key)
    } else {
      stale.add(key)
      refetchSoon(refetchEveryMs)
    }
  }

  /** `afterMs`: time for the next answer to arrive, which makes the request unnecessary. */
  function refetchSoon(afterMs = 0): void {
    refetchTimer ??= setTimeout(
      () => {
        refetchTimer = undefined
        refetchedAt = performance.now()
        if (isHidden()) return
        for (const key of shownQueries(store.getState())) if (stale.delete(key)) void refetch(key)
      },
      Math.max(refetchedAt + refetchEveryMs - performance.now(), afterMs),
    )
  }

  /** Fetches a query again. The rows stay until the answer arrives. */
  async function refetch(key: string): Promise<void> {
    const query = store.getState().api.queries[key]
    if (query?.endpointName === undefined) return
    const endpoints: Readonly<Record<string, unknown>> = api.endpoints
    const endpoint = endpoints[query.endpointName] as QueryEndpoint | undefined
    if (endpoint === undefined) return
    await store.dispatch(
      endpoint.initiate(query.originalArgs, { subscribe: false, forceRefetch: true }),
    )
  }

  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', follow)
    clearTimeout(refetchTimer)
    tab.leave()
    setConnected(true)
  }
}

/** An injected endpoint, whose types `api` itself does not know. */
interface QueryEndpoint {
  initiate(
    args: unknown,
    options: { readonly subscribe: false; readonly forceRefetch: true },
  ): ThunkAction<PromiseLike<unknown>, State, unknown, UnknownAction>
}

/** The cache keys of the queries that a component of this tab uses. */
function shownQueries(state: State): readonly string[] {
  return Object.entries(state.api.subscriptions)
    .filter(([, subscribers]) => subscribers && Object.keys(subscribers).length > 0)
    .map(([key]) => key)
}

/** The address of the query if the server sends its answers, else null. */
function liveCallOf(key: string): string | null {
  const url = addressOfQuery(key)
  return url !== undefined && liveCalls.includes(pathOfCall(url)) ? url : null
}

const isHidden = () => document.visibilityState === 'hidden'
