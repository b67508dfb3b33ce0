import { useState } from 'react'
import { scheduleProblems } from '#contracts/receivables/schedule-rules'
import type { ScheduleResponse } from '#contracts/receivables/schedule'
import { useChangeScheduleMutation, useGetScheduleQuery } from '../../../api/schedule-api.ts'
import { focusPageHeading } from '../../../lib/focus-heading.ts'
import { showToast } from '../../../lib/toasts.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorBox } from '../../../ui/error-box.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { useSending } from '../acts/use-sending.ts'
import { AccessBanner, AreaPage } from '../shared/area-page.tsx'
import { instantDay } from '../shared/days.ts'
import { LeaveWarning } from '../shared/leave-warning.tsx'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { problemOf, savedDraft, unsavedWords, wantedOf, type Draft } from './draft.ts'
import { PreviewPanel } from './preview-panel.tsx'
import { RemindersPanel } from './reminders-panel.tsx'
import { StepsPanel } from './steps-panel.tsx'
import { WhenPanel } from './when-panel.tsx'
import './schedule-page.css'

export function SchedulePage() {
  return (
    <AreaPage title="Schedule" goal="your schedule">
      <Schedule />
    </AreaPage>
  )
}

function Schedule() {
  const { data, error, isError, isFetching, refetch } = useGetScheduleQuery()
  // Discard begins from what is saved: without unsaved changes, and without an old refusal.
  const [discards, setDiscards] = useState(0)
  if (data !== undefined)
    return (
      <Loaded
        key={discards}
        saved={data}
        onDiscard={() => {
          focusPageHeading()
          setDiscards(discards + 1)
        }}
      />
    )
  return (
    <>
      <PageHead title="Schedule" />
      <section className="panel" aria-label="Schedule">
        {isError ? (
          <LoadFailure
            what="your schedule"
            error={error}
            retrying={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <LoadingRows what="your schedule" rows={8} />
        )}
      </section>
    </>
  )
}

/** When and how clients are reminded. Nothing is saved before Save schedule is pressed. */
function Loaded({ saved, onDiscard }: { saved: ScheduleResponse; onDiscard: () => void }) {
  const [changed, setChanged] = useState<Draft | null>(null)
  const [change] = useChangeScheduleMutation()
  const { busy, problem, send } = useSending<object>()
  // What another tab saves is shown, unless this one has unsaved changes.
  const draft = changed ?? savedDraft(saved)
  const unsaved = unsavedWords(draft)
  const wrong = problemOf(draft)
  const { mayAct } = saved.access
  const { timeZone, base } = draft

  function show(next: Draft): void {
    setChanged(unsavedWords(next) === '' && next.base === saved ? orderOnly(next, saved) : next)
  }

  function save(): void {
    void send(
      (key) =>
        change({
          key,
          body: { schedule: wantedOf(draft), timeZone, basedOn: base.version },
        }),
      () => {
        setChanged(null)
        showToast('success', 'The schedule is saved.')
      },
    )
  }

  return (
    <>
      <AccessBanner access={saved.access} />
      <LeaveWarning when={unsaved !== ''} what="The changes of the schedule" />
      <PageHead
        title="Schedule"
        note={noteOf(saved)}
        actions={
          unsaved !== '' && (
            <div className="rcv-acts schedule-acts">
              <p className="schedule-unsaved" role="status">
                {unsaved}, not saved
              </p>
              <Button look="line" onClick={onDiscard}>
                Discard
              </Button>
              <Button busy={busy} disabled={wrong !== null} onClick={save}>
                Save schedule
              </Button>
            </div>
          )
        }
      />
      <ErrorBox text={problem ?? (wrong === null ? null : scheduleProblems[wrong])} />
      <div className="rcv-two schedule">
        <StepsPanel draft={draft} mayChange={mayAct} onChange={show} />
        <div className="rcv-column">
          <RemindersPanel saved={saved} />
          <WhenPanel draft={draft} mayChange={mayAct} onChange={show} />
        </div>
      </div>
      <PreviewPanel draft={draft} />
    </>
  )
}

/** Nothing is unsaved: the page shows what is saved, and follows what another tab saves. */
const orderOnly = (draft: Draft, saved: ScheduleResponse): Draft | null =>
  draft.schedule.steps.every((step, index) => step.stepId === saved.schedule.steps[index]?.stepId)
    ? null
    : draft

function noteOf({ companyName, savedAt, timeZone }: ScheduleResponse): string {
  const whose = companyName === null ? 'For every invoice' : `For every invoice of ${companyName}`
  return savedAt === null
    ? `${whose}. The schedule that every merchant begins with`
    : `${whose}. Last saved ${instantDay(savedAt, timeZone)}`
}
