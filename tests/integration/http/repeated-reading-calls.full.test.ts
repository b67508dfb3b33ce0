import { describeRepeats } from './repeats/describe-repeats.ts'
import { outages } from './repeats/faults.ts'
import { readingCalls } from './repeats/reading-calls.ts'

const {
  'PostgreSQL goes away with an answer': databaseGoes,
  'the event store goes away before an operation': storeGoes,
} = outages

// Some reads need neither, such as the API documentation.
describeRepeats(readingCalls, {
  'PostgreSQL goes away with an answer': { ...databaseGoes, mayMiss: true },
  'the event store goes away before an operation': { ...storeGoes, mayMiss: true },
})
