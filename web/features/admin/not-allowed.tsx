import { refusedRight, type AdminRight } from '#contracts/admin/roles'
import { useGetSessionQuery } from '../../api/session-api.ts'
import { useMay } from './use-may.ts'

/** In the place of a page that the role does not allow. */
export function NotAllowed({ right }: { right: AdminRight }) {
  const { data } = useGetSessionQuery()
  const role = data?.administrator?.role
  if (useMay(right) || role === undefined) return null
  return (
    <section className="panel" aria-label="Not allowed">
      <p className="panel-body">{refusedRight(role, right)}</p>
    </section>
  )
}
