import type { Leave } from '#services/foundation/work-gate'
import { sleep as realSleep, type Sleep } from '#services/foundation/sleep'
import { createTally, createRecentTally, type Tally } from './tally.ts'

/** Whom a piece of work counts against, such as its network and its session. */
export type Parties = readonly string[]

interface Amount {
  /** Pieces of work that run at the same time. */
  readonly atOnce: number
  /** Pieces of work that wait for a place at the same time. */
  readonly waiting: number
}

export interface FairLimits extends Amount {
  /** The most that one party has of both. */
  readonly share: Amount
  /** The longest wait for a place, in milliseconds. */
  readonly longestWaitMs: number
}

/** Why a piece of work gets no place: all are taken, or one of its parties has its share. */
export type NoPlace = 'full' | 'own share'

/** Exactly one of them is called, also before `enter` returns. */
interface Turn {
  begin(leave: Leave): void
  refuse(reason: NoPlace): void
}

/** Limits how much of one kind of work runs at once, and how much of it is one party's. */
export interface FairGate {
  readonly running: number
  readonly waiting: number
  /** Counts a request before it enters. Returns why `enter` would refuse it now, or null. */
  arrive(parties: Parties): NoPlace | null
  /** Leaves the queue without a call of `turn` when `signal` aborts. */
  enter(parties: Parties, signal: AbortSignal, turn: Turn): void
}

interface Waiting {
  readonly parties: Parties
  /** Calls the turn unless it was called before. */
  readonly begin: () => void
  readonly refuse: (reason: NoPlace) => void
}

/**
 * A free place goes to the work whose parties have the least: running, or requested within the last
 * 10 to 20 s, also if it was refused. So a party with much work waits behind all parties with less,
 * and one that tries again at once behind one that waits. If the queue is full, a party with less
 * takes the place in the queue of one that has more.
 * @param now monotonic milliseconds
 */
// One state machine: its short functions share queue and tallies.
// oxlint-disable-next-line max-lines-per-function
export function createFairGate(
  { atOnce, waiting: maxWaiting, share, longestWaitMs }: FairLimits,
  sleep: Sleep = realSleep,
  now: () => number = () => performance.now(),
): FairGate {
  /** In order of arrival. */
  const queue = new Set<Waiting>()
  const runningOf = createTally()
  const waitingOf = createTally()
  const recentOf = createRecentTally(10_000, now)
  let running = 0

  /** A share of everything is no limit. */
  const withShare = (parties: Parties, tally: Tally, name: keyof Amount, most: number) =>
    share[name] < most ? parties.find((party) => tally.count(party) >= share[name]) : undefined
  const hasRunningShare = (parties: Parties) =>
    withShare(parties, runningOf, 'atOnce', atOnce) !== undefined
  const work = (party: string) => runningOf.count(party) + recentOf.count(party)
  const workAndQueue = (party: string) => work(party) + waitingOf.count(party)

  function run(parties: Parties, begin: (leave: Leave) => void): void {
    running += 1
    runningOf.add(parties, 1)
    let isTaken = true
    begin(() => {
      if (!isTaken) return
      isTaken = false
      running -= 1
      runningOf.add(parties, -1)
      serve()
    })
  }

  function serve(): void {
    while (running < atOnce) {
      const next = lightest([...queue].filter(({ parties }) => !hasRunningShare(parties)))
      if (next === null) return
      next.begin()
    }
  }

  function lightest(all: readonly Waiting[]): Waiting | null {
    return all.reduce<Waiting | null>(
      (best, each) => (best === null || isHeavier(best.parties, each.parties, work) ? each : best),
      null,
    )
  }

  /** Who could leave the queue for new work of `parties`, and why. Null: the queue has room. */
  function crowd(parties: Parties): { among: Waiting[]; reason: NoPlace } | null {
    const full = withShare(parties, waitingOf, 'waiting', maxWaiting)
    if (full !== undefined)
      return {
        among: [...queue].filter((each) => each.parties.includes(full)),
        reason: 'own share',
      }
    return queue.size >= maxWaiting ? { among: [...queue], reason: 'full' } : null
  }

  /**
   * The one that has the most, the latest of equals. Null: none would have more than new work of
   * `parties` in the queue.
   */
  function heavierThan(parties: Parties, all: readonly Waiting[]): Waiting | null {
    waitingOf.add(parties, 1)
    const most = all.reduce<Waiting | null>(
      (worst, each) =>
        worst === null || !isHeavier(worst.parties, each.parties, workAndQueue) ? each : worst,
      null,
    )
    const isMore = most !== null && isHeavier(most.parties, parties, workAndQueue)
    waitingOf.add(parties, -1)
    return isMore ? most : null
  }

  function canBegin(parties: Parties): boolean {
    return running < atOnce && !hasRunningShare(parties)
  }

  function arrive(parties: Parties): NoPlace | null {
    recentOf.add(parties)
    if (canBegin(parties)) return null
    const crowded = crowd(parties)
    return crowded === null || heavierThan(parties, crowded.among) !== null ? null : crowded.reason
  }

  function wait(parties: Parties, signal: AbortSignal, turn: Turn): void {
    const isOver = new AbortController()
    const leaveQueue = (settle: () => void): void => {
      if (!queue.delete(own)) return
      waitingOf.add(parties, -1)
      isOver.abort()
      signal.removeEventListener('abort', abort)
      settle()
    }
    const own: Waiting = {
      parties,
      begin: () => leaveQueue(() => run(parties, turn.begin)),
      refuse: (reason) => leaveQueue(() => turn.refuse(reason)),
    }
    const abort = () => leaveQueue(() => undefined)
    queue.add(own)
    waitingOf.add(parties, 1)
    signal.addEventListener('abort', abort)
    void sleep(longestWaitMs, isOver.signal).then(() =>
      own.refuse(hasRunningShare(parties) ? 'own share' : 'full'),
    )
  }

  return {
    get running() {
      return running
    },
    get waiting() {
      return queue.size
    },
    arrive,
    enter(parties, signal, turn) {
      if (canBegin(parties)) return run(parties, turn.begin)
      // Both the share and the whole queue can be full.
      for (let crowded = crowd(parties); crowded !== null; crowded = crowd(parties)) {
        const displaced = heavierThan(parties, crowded.among)
        if (displaced === null) return turn.refuse(crowded.reason)
        displaced.refuse(crowded.reason)
      }
      wait(parties, signal, turn)
    },
  }
}

/** Compares the party that has the most, and then all parties together. */
function isHeavier(a: Parties, b: Parties, count: (party: string) => number): boolean {
  const [ofA, ofB] = [a.map(count), b.map(count)]
  const [maxA, maxB] = [Math.max(...ofA), Math.max(...ofB)]
  return maxA === maxB ? sum(ofA) > sum(ofB) : maxA > maxB
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
