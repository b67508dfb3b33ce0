import { describeRepeats } from './repeats/describe-repeats.ts'
import { outages } from './repeats/faults.ts'
import { customerCalls } from './repeats/customer-calls.ts'

describeRepeats(customerCalls, outages)
