import { isFull } from './is-full.ts'

/**
 * How often a property with PostgreSQL or HTTP behind it runs: `full` times in `npm run test:full`,
 * a third of that in `npm test`.
 */
export const numberOfRuns = (full: number): number => (isFull ? full : Math.ceil(full / 3))
