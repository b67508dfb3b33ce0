import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { z } from 'zod'
import { lastReachableRow } from '#contracts/paging'
import { isStorable } from '#contracts/storable-text'
import { consoleTabs, type TabName } from '../console-tabs.ts'
import type { ListQuery } from './list-tab.ts'

const tabNames = consoleTabs.map(({ name }) => name)
const [{ name: defaultTab }] = consoleTabs

/** The sizes of a page that the console offers. The first is the default of the API. */
export const pageSizes = [20, 50, 100] as const

/** Parameters of a list. `undefined` removes a parameter. The next reading checks the values. */
export type ListPatch = Readonly<Record<string, string | number | undefined>>

/**
 * The tab in the URL. A change of the tab starts the list with its defaults: the parameters of
 * another list may be invalid.
 */
export function useTabAddress(): [TabName, (tab: TabName) => void] {
  const [params, setParams] = useSearchParams()
  const tab = tabNames.find((name) => name === params.get('tab')) ?? defaultTab
  const open = (next: TabName) => setParams(tabParam(next), { preventScrollReset: true })
  return [tab, open]
}

const tabParam = (tab: TabName) => (tab === defaultTab ? [] : [['tab', tab] as [string, string]])

/**
 * The list's page, sorting and filters. The URL holds them, so that a reload, a bookmark and the
 * back button show the same rows. One setter writes all values, because updates of the URL do not
 * queue. A change of sorting or filters starts at page 1. Invalid values in the URL are ignored.
 */
export function useListAddress<Query extends ListQuery>(
  schema: z.ZodObject & z.ZodType<Query>,
): [Query, (patch: ListPatch, options?: { replace?: boolean }) => void] {
  const [params, setParams] = useSearchParams()
  const query = readQuery(schema, params)

  const setQuery = useCallback(
    (patch: ListPatch, { replace = false } = {}) => {
      setParams(
        (before) => {
          const tab = tabNames.find((name) => name === before.get('tab')) ?? defaultTab
          const defaults: Record<string, unknown> = { ...schema.parse({}) }
          const next = { ...readQuery(schema, before), page: 1, ...patch }
          const changed = Object.entries(next)
            .filter(([key, value]) => value !== undefined && value !== defaults[key])
            .map(([key, value]): [string, string] => [key, String(value)])
          return [...tabParam(tab), ...changed]
        },
        { preventScrollReset: true, replace },
      )
    },
    [schema, setParams],
  )

  return [query, setQuery]
}

function readQuery<Query extends ListQuery>(
  schema: z.ZodObject & z.ZodType<Query>,
  params: URLSearchParams,
): Query {
  // The API refuses a text that cannot be stored, and with it the stream of live updates.
  const given = new Map(
    [...params].filter(([key, value]) => key in schema.shape && isStorable(value)),
  )
  const isOffered = pageSizes.some((size) => String(size) === given.get('pageSize'))
  if (!isOffered) given.delete('pageSize')
  // As any page after the last one, it opens the last page.
  if (Number(given.get('page')) > lastReachableRow) given.set('page', String(lastReachableRow))
  const first = schema.safeParse(Object.fromEntries(given))
  for (const { path } of first.error?.issues ?? []) given.delete(String(path[0]))
  const query = first.success ? first.data : schema.parse(Object.fromEntries(given))
  return { ...query, page: Math.min(query.page, lastReachableRow / query.pageSize) }
}
