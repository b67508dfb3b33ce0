import { lastReachableRow } from '#contracts/paging'
import { formatCount } from '#services/foundation/format-count'
import { badRequest } from '#services/http/http-error'

/** @throws HttpError 400 for a page after the last reachable row */
export function refuseFarPages({
  page,
  pageSize,
}: {
  readonly page: number
  readonly pageSize: number
}): void {
  if ((page - 1) * pageSize < lastReachableRow) return
  throw badRequest(
    'page',
    `Pages end at row ${formatCount(lastReachableRow)}. Narrow the list with a search or a filter.`,
  )
}
