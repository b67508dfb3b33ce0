import { useState } from 'react'
import type { SchedulePreview } from '#contracts/receivables/schedule'
import { formatCount } from '../../../lib/money.ts'
import { Mark } from '../../../ui/mark.tsx'
import { countOf } from '../shared/days.ts'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { DayLine } from '../shared/day-line.tsx'
import { DayMessages } from './day-messages.tsx'
import { problemOf, unsavedWords, type Draft } from './draft.ts'
import { useDraftPreview } from './use-draft-preview.ts'
import './preview-panel.css'

/** What the draft would send in the next 30 days, before anything is saved. */
export function PreviewPanel({ draft }: { draft: Draft }) {
  const isWrong = problemOf(draft) !== null
  const { data, error, isError, isFetching, refetch } = useDraftPreview(draft)
  const isUnsaved = unsavedWords(draft) !== ''
  return (
    <section className="panel preview" aria-labelledby="preview">
      <header>
        <h2 id="preview">The next 30 days</h2>
        {data !== undefined && (
          <p className="preview-basis">{basisOf(data, isUnsaved, draft.base.isOn)}</p>
        )}
        <p className="preview-legend">
          <span>
            <Mark kind="email-planned" /> E-mail
          </span>
          <span>
            <Mark kind="text-planned" /> Text
          </span>
          {isUnsaved && (
            <span>
              <Mark kind="email" className="preview-added" /> Added by the changes
            </span>
          )}
          <span>
            <Mark kind="skipped" /> Not sent
          </span>
        </p>
      </header>
      {data === undefined && isError && (
        <LoadFailure
          what="the next 30 days"
          error={error}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && !isError && <LoadingRows what="the next 30 days" rows={4} />}
      {data !== undefined && (
        <div className={isFetching || isWrong ? 'rcv-stale' : ''}>
          <Loaded preview={data} today={draft.base.today} />
        </div>
      )}
    </section>
  )
}

function Loaded({ preview, today }: { preview: SchedulePreview; today: string }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const first = preview.days.find(({ mails, texts }) => mails + texts > 0)?.day ?? null
  const day = preview.days.find((each) => each.day === (chosen ?? first))
  const { goesOut, skipped } = preview
  const added = preview.days.reduce((sum, each) => sum + each.added, 0)
  return (
    <>
      <DayLine days={preview.days} chosen={day?.day ?? null} onChoose={setChosen} />
      {day === undefined ? (
        <p className="preview-none">
          Nothing would go out in these days. An invoice that is open brings messages.
        </p>
      ) : (
        <DayMessages day={day} messages={preview.messages} today={today} />
      )}
      <div className="preview-sums">
        <div>
          <h3>Goes out</h3>
          <dl>
            <dt>E-mails</dt>
            <dd>{formatCount(goesOut.mails)}</dd>
            <dt>Texts</dt>
            <dd>{formatCount(goesOut.texts)}</dd>
            <dt className="preview-total">To {countOf(goesOut.clients, 'client')}</dt>
            <dd className="preview-total">{formatCount(goesOut.mails + goesOut.texts)}</dd>
          </dl>
          <p>
            {formatCount(preview.firstWeek)} of them in the first seven days
            {added > 0 && `, ${formatCount(added)} added by the changes`}.
          </p>
        </div>
        <div>
          <h3>Does not go out</h3>
          {skipped.length === 0 ? (
            <p>Every step reaches its client.</p>
          ) : (
            <dl>
              {skipped.map(({ reason, steps }) => [
                <dt key={reason}>{reason}</dt>,
                <dd key={`${reason} count`}>{formatCount(steps)}</dd>,
              ])}
              <dt className="preview-total">Steps</dt>
              <dd className="preview-total">
                {formatCount(skipped.reduce((sum, { steps }) => sum + steps, 0))}
              </dd>
            </dl>
          )}
        </div>
      </div>
    </>
  )
}

/** From what it is computed. A preview of the first clients says so. */
function basisOf(
  { computedFrom, all }: SchedulePreview,
  isUnsaved: boolean,
  isOn: boolean,
): string {
  const subject = isUnsaved ? 'With the changes, from' : 'From'
  const condition = `if nothing is paid${isOn ? '' : ' and reminders are on from now'}`
  if (computedFrom.clients >= all.clients)
    return `${subject} ${countOf(computedFrom.invoices, 'open invoice')}, ${condition}`
  return `${subject} the first ${countOf(computedFrom.clients, 'client')} of ${formatCount(all.clients)}, because more take too long to compute, ${condition}`
}
