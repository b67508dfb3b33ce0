/** The result of `work`, or of `late` after the timeout in milliseconds. After the timeout, the result or failure of `work` is ignored. */
export async function within<T>(milliseconds: number, work: Promise<T>, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late()), milliseconds)
  })
  try {
    return await Promise.race([work, expired])
  } finally {
    clearTimeout(timer)
  }
}
