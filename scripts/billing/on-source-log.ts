import { assertSourceLog } from '#projections/engine/operate/source-log'
import { refuseUnfinished } from '#services/event-store/transfer/unfinished-restore'
import { asOperator, type OperatorContext } from '#services/operations/operator-context'

/**
 * As `asOperator`, for commands that write to the log, or read the log together with the read
 * models.
 * @throws StartupError if the log is that of an interrupted restore, or if the read models were
 * folded from another log
 */
export function onSourceLog<T>(work: (context: OperatorContext) => Promise<T>): Promise<T> {
  return asOperator(async (context) => {
    await refuseUnfinished(context.pool)
    await assertSourceLog(context.pool, context.store)
    return work(context)
  })
}
