/** Entries by time, in a binary heap. */
export interface Agenda<Entry extends { readonly at: number }> {
  add(entry: Entry): void
  /** Removes and returns the earliest entry; undefined if the agenda is empty. */
  next(): Entry | undefined
}

export function createAgenda<Entry extends { readonly at: number }>(): Agenda<Entry> {
  const heap: Entry[] = []
  const isEarlier = (a: number, b: number) => (heap[a]?.at ?? Infinity) < (heap[b]?.at ?? Infinity)

  function swap(a: number, b: number): void {
    const [first, second] = [heap[a], heap[b]]
    if (first === undefined || second === undefined) return
    heap[a] = second
    heap[b] = first
  }

  return {
    add(entry) {
      heap.push(entry)
      for (let at = heap.length - 1; at > 0;) {
        const parent = (at - 1) >> 1
        if (!isEarlier(at, parent)) break
        swap(at, parent)
        at = parent
      }
    },
    next() {
      const first = heap[0]
      const last = heap.pop()
      if (first === undefined || last === undefined || heap.length === 0) return first
      heap[0] = last
      for (let at = 0; ;) {
        const left = 2 * at + 1
        const child = isEarlier(left + 1, left) ? left + 1 : left
        if (!isEarlier(child, at)) return first
        swap(child, at)
        at = child
      }
    },
  }
}
