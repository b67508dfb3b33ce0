import type { ReactNode } from 'react'
import type { Paying, PayingQuery } from '#contracts/receivables/paying'
import { useGetPayingQuery } from '../../../api/receivables-api.ts'
import { LoadFailure } from './load-failure.tsx'
import { LoadingRows } from './loading.tsx'
import './paying-strip.css'

interface PayingStripProps {
  readonly query: PayingQuery
  /** The heading: 'How clients pay'. */
  readonly title: string
  /** The readouts of an answer. */
  readonly children: (paying: Paying) => ReactNode
}

/** A second strip of figures, with a heading and a call of its own. */
export function PayingStrip({ query, title, children }: PayingStripProps) {
  const { data, currentData, isError, error, isFetching, refetch } = useGetPayingQuery(query)
  const paying = currentData ?? data
  const isStale = currentData === undefined
  return (
    <section
      className={`panel rcv-paying ${paying !== undefined && isStale ? 'rcv-stale' : ''}`}
      aria-label={title}
      aria-busy={isFetching && isStale}
    >
      <h2>{title}</h2>
      {isError ? (
        <LoadFailure
          what="these figures"
          error={error}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : paying === undefined ? (
        <LoadingRows what="how clients pay" rows={2} />
      ) : (
        children(paying)
      )}
    </section>
  )
}
