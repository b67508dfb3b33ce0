import { AdminGate } from './admin-gate.tsx'
import { Dashboard } from './dashboard.tsx'

export function AdminPage() {
  return (
    <AdminGate title="Admin">
      <Dashboard />
    </AdminGate>
  )
}
