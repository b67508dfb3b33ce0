/**
 * The result of `work`, or of `late` after the timeout in milliseconds; `late` may throw. After the
 * timeout, the result or failure of `work` is ignored.
 */
export async function withTimeout<T>(
  milliseconds: number,
  work: Promise<T>,
  late: () => T,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  try {
    return await Promise.race([work, expired.then(late)])
  } finally {
    clearTimeout(timer)
  }
}
