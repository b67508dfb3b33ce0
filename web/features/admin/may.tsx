import type { ReactNode } from 'react'
import type { AdminRight } from '#contracts/admin/roles'
import { useMay } from './use-may.ts'

/** Shown only to an administrator with the right. */
export function May({ do: right, children }: { do: AdminRight; children: ReactNode }) {
  return useMay(right) ? children : null
}
