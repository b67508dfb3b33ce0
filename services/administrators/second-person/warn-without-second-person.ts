import type { Logger } from 'pino'
import type { AdminRight } from '#contracts/admin/roles'
import type { Administrators } from '../administrators.ts'
import { administratorsWith } from '../administrators-state.ts'

/** What one administrator does alone, at most. Null: everything. */
interface AloneLimits {
  readonly refundAbove: number | null
  readonly exportAbove: number | null
}

interface Rule {
  readonly setting: string
  readonly right: AdminRight
  /** What the persons do, and what happens without two of them. */
  readonly doing: string
  readonly refused: string
}

const rules: Readonly<Record<keyof AloneLimits, Rule>> = {
  refundAbove: {
    setting: 'SECOND_PERSON_REFUND_ABOVE',
    right: 'refund',
    doing: 'refund',
    refused: 'refunds above the amount are refused',
  },
  exportAbove: {
    setting: 'SECOND_PERSON_EXPORT_ABOVE',
    right: 'export',
    doing: 'export data',
    refused: 'exports above the number of records are refused',
  },
}

/**
 * What needs a second person is impossible while fewer than two named administrators have the
 * right.
 * @throws EventStoreUnavailable
 */
export async function warnWithoutSecondPerson(
  limits: AloneLimits,
  administrators: Pick<Administrators, 'load'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  for (const [name, { setting, right, doing, refused }] of Object.entries(rules)) {
    const above = limits[name as keyof typeof rules]
    if (above === null) continue
    const persons = administratorsWith(await administrators.load(), right).length
    if (persons < 2)
      log.warn(
        { above, persons },
        `${setting} is set, and fewer than two named administrators may ${doing}: ${refused}. Add administrators with the role owner or finance: 'npm run billing -- admins add'.`,
      )
  }
}
