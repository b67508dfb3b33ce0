import { expect, it } from '@jest/globals'
import { declaredEndpoints, nameOf } from '../../support/product/declared-endpoints.ts'
import { adminCalls } from './repeats/admin-calls.ts'
import { customerCalls } from './repeats/customer-calls.ts'
import { namedAdminCalls } from './repeats/named-admin-calls.ts'
import { passkeyCalls } from './repeats/passkey-calls.ts'
import { readingCalls } from './repeats/reading-calls.ts'
import { signInCalls } from './repeats/sign-in-calls.ts'

/*
 * A call that answers 503 leaves the world as it was, or completes on its repeat. The long tests
 * walk all calls, with all faults.
 */

it('every declared call is repeated after faults, in a long test', async () => {
  const walked = new Set(
    [signInCalls, customerCalls, adminCalls, namedAdminCalls, passkeyCalls, readingCalls].flatMap(
      (calls) => Object.keys(calls),
    ),
  )
  const declared = [...(await declaredEndpoints()).map(nameOf), 'POST /api/stripe/webhook']
  expect(declared.filter((name) => !walked.has(name))).toEqual([])
})
