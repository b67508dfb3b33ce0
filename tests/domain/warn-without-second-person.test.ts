import { describe, expect, it } from '@jest/globals'
import type { AdminRole } from '#contracts/admin/roles'
import type { AdministratorsState } from '#services/administrators/administrators-state'
import { warnWithoutSecondPerson } from '#services/administrators/second-person/warn-without-second-person'

function administrators(...roles: readonly (AdminRole | 'ended')[]) {
  const people = roles.map((role, index) => ({
    adminId: `adm_${index}`,
    name: `Person ${index}`,
    email: `person${index}@agilereceivables.example`,
    role: role === 'ended' ? ('owner' as const) : role,
    isEnded: role === 'ended',
    passkeys: [],
  }))
  const state: AdministratorsState = {
    administrators: new Map(people.map((person) => [person.adminId, person])),
  }
  return { load: () => Promise.resolve(state) }
}

async function warningsOf(
  limits: { readonly refundAbove?: number; readonly exportAbove?: number },
  ...roles: readonly (AdminRole | 'ended')[]
): Promise<readonly [object, string][]> {
  const warnings: [object, string][] = []
  const log = { warn: (fields: object, text: string) => void warnings.push([fields, text]) }
  await warnWithoutSecondPerson(
    { refundAbove: null, exportAbove: null, ...limits },
    administrators(...roles),
    log as Parameters<typeof warnWithoutSecondPerson>[2],
  )
  return warnings
}

describe('the warning at the start that no second person exists', () => {
  it.each([
    ['SECOND_PERSON_REFUND_ABOVE', { refundAbove: 50_000 }, 50_000, 'refunds above the amount'],
    ['SECOND_PERSON_EXPORT_ABOVE', { exportAbove: 0 }, 0, 'exports above the number of records'],
  ] as const)('names %s, the limit and the persons', async (setting, limits, above, refused) => {
    for (const roles of [[], ['owner'], ['owner', 'support', 'reader'], ['finance', 'ended']]) {
      const [warning, ...others] = await warningsOf(limits, ...(roles as AdminRole[]))
      const persons = roles.filter((role) => role === 'owner' || role === 'finance').length
      expect(warning?.[0]).toEqual({ above, persons })
      expect(warning?.[1]).toContain(`${setting} is set, and fewer than two named administrators`)
      expect(warning?.[1]).toContain(`${refused} are refused`)
      expect(others).toEqual([])
    }
  })

  it('is missing with two persons, and without the settings', async () => {
    const both = { refundAbove: 0, exportAbove: 0 }
    expect(await warningsOf(both, 'owner', 'finance')).toEqual([])
    expect(await warningsOf({})).toEqual([])
    expect(await warningsOf(both, 'owner')).toHaveLength(2)
  })
})
