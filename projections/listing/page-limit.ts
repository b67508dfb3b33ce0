import { lastReachableRow } from '#contracts/paging'

export interface PageRequest {
  readonly page: number
  readonly pageSize: number
}

/** Whether a page starts beyond the last row that lists reach: the route answers 400 and says to narrow the list. */
export function isBeyondReach({ page, pageSize }: PageRequest): boolean {
  return offsetOf({ page, pageSize }) >= lastReachableRow
}

export function offsetOf({ page, pageSize }: PageRequest): number {
  return (page - 1) * pageSize
}
