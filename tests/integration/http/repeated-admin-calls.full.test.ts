import { describeRepeats } from './repeats/describe-repeats.ts'
import { outages } from './repeats/faults.ts'
import { adminCalls } from './repeats/admin-calls.ts'

describeRepeats(adminCalls, outages)
