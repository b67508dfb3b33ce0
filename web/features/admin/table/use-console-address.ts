import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { z } from 'zod'
import { changedParams, readListQuery, type ListPatch } from '../../../lib/list-query.ts'
import { consoleTabs, type TabName } from '../console-tabs.ts'
import type { TabQuery } from './list-tab.ts'

const tabNames = consoleTabs.map(({ name }) => name)
const [{ name: defaultTab }] = consoleTabs

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
export function useListAddress<Query extends TabQuery>(
  schema: z.ZodObject & z.ZodType<Query>,
): [Query, (patch: ListPatch, options?: { replace?: boolean }) => void] {
  const [params, setParams] = useSearchParams()
  const query = readListQuery(schema, params)

  const setQuery = useCallback(
    (patch: ListPatch, { replace = false } = {}) => {
      setParams(
        (before) => {
          const tab = tabNames.find((name) => name === before.get('tab')) ?? defaultTab
          const next = { ...readListQuery(schema, before), page: 1, ...patch }
          return [...tabParam(tab), ...changedParams(schema, next)]
        },
        { preventScrollReset: true, replace },
      )
    },
    [schema, setParams],
  )

  return [query, setQuery]
}
