import { assertSourceLog } from '#projections/engine/operate/source-log'
import { asOperator, type OperatorContext } from '#services/operations/operator-context'

/** `asOperator`, for what reads the log beside the read models, or writes to it: of another log than theirs it makes nothing. */
export function onSourceLog<T>(work: (context: OperatorContext) => Promise<T>): Promise<T> {
  return asOperator(async (context) => {
    await assertSourceLog(context.pool, context.store)
    return work(context)
  })
}
