/** The result of `work`, or of `late` after so many milliseconds. What becomes of `work` later is ignored, its failure too. */
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
