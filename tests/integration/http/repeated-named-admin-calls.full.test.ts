import { describeRepeats } from './repeats/describe-repeats.ts'
import { outages } from './repeats/faults.ts'
import { namedAdminCalls } from './repeats/named-admin-calls.ts'

describeRepeats(namedAdminCalls, outages)
