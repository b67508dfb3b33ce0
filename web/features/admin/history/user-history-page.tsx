import { useParams } from 'react-router-dom'
import { AuditPage } from './audit-page.tsx'
import { UserHistory } from './user-history.tsx'

/** What happened to a user's account, now or until a chosen instant. */
export function UserHistoryPage() {
  const { userId = '' } = useParams()
  return (
    <AuditPage tab="users" title="History">
      <UserHistory key={userId} userId={userId} />
    </AuditPage>
  )
}
