type Work = () => Promise<unknown>

/**
 * Begins all of these at once, and resolves with their results, in order. After a failure it waits
 * until all others have ended, also if one cannot be begun, and rejects with the failure that came
 * first. So no statement of one of them is sent after the end of their transaction, which
 * `Promise.all` does not wait for: the server would execute it outside of the transaction.
 */
export async function atOnce<const Works extends readonly Work[]>(
  ...works: Works
): Promise<{ readonly [Place in keyof Works]: Awaited<ReturnType<Works[Place]>> }> {
  const failures: unknown[] = []
  const results = await Promise.all(
    works.map(async (work) => {
      try {
        return await work()
      } catch (error) {
        failures.push(error)
        return undefined
      }
    }),
  )
  if (failures.length > 0) throw failures[0]
  return results as { readonly [Place in keyof Works]: Awaited<ReturnType<Works[Place]>> }
}
