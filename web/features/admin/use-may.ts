import type { AdminRight } from '#contracts/admin/roles'
import { useGetSessionQuery } from '../../api/session-api.ts'

/**
 * Whether the server allows the signed-in administrator this. A screen offers nothing else. False
 * until the session has loaded, and at once after a change of the role.
 */
export function useMay(right: AdminRight): boolean {
  const { data } = useGetSessionQuery()
  return data?.administrator?.rights.includes(right) ?? false
}
