import { describeRepeats } from './repeats/describe-repeats.ts'
import { outages } from './repeats/faults.ts'
import { recordedReads } from './repeats/recorded-reads.ts'

describeRepeats(recordedReads, outages)
