import { describeRepeats } from './repeats/describe-repeats.ts'
import { outages } from './repeats/faults.ts'
import { signInCalls } from './repeats/sign-in-calls.ts'

describeRepeats(signInCalls, outages)
