import { describeRepeats } from './repeats/describe-repeats.ts'
import { outages } from './repeats/faults.ts'
import { passkeyCalls } from './repeats/passkey-calls.ts'
import { namedAdminCalls } from './repeats/named-admin-calls.ts'

// Each call has a product of its own: most preparations add one of its 100 administrators.
for (const [name, prepare] of Object.entries(namedAdminCalls))
  describeRepeats({ [name]: prepare }, outages)

const { 'POST /api/admin/login/passkey/options': startSignIn, ...others } = passkeyCalls
const {
  'the event store goes away with an answer': _answer,
  'the event store goes away before an operation': _operation,
  ...withoutStore
} = outages

// The challenge of a sign-in needs no event.
describeRepeats({ 'POST /api/admin/login/passkey/options': startSignIn }, withoutStore)
describeRepeats(others, outages)
