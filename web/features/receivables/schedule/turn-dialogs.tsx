import type { SchedulePreview, ScheduleResponse } from '#contracts/receivables/schedule'
import { usePreviewScheduleQuery, useTurnRemindersMutation } from '../../../api/schedule-api.ts'
import { formatCount } from '../../../lib/money.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useSending } from '../acts/use-sending.ts'
import { countOf, shortDay, weekdayDate } from '../shared/days.ts'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { DayLine } from '../shared/day-line.tsx'
import { savedDraft, wantedOf } from './draft.ts'
import './turn-dialogs.css'

interface TurnDialogProps {
  readonly saved: ScheduleResponse
  readonly onClose: () => void
}

/** What the saved schedule sends, whatever the page has typed. */
function useSavedPreview(saved: ScheduleResponse) {
  const { timeZone } = saved
  return usePreviewScheduleQuery({ schedule: wantedOf(savedDraft(saved)), timeZone })
}

/** Asks before the first message goes out, with what the first seven days bring. */
export function TurnOnDialog({ saved, onClose }: TurnDialogProps) {
  const preview = useSavedPreview(saved)
  const [turn] = useTurnRemindersMutation()
  const { busy, problem, send } = useSending<object>()
  const { data } = preview
  const first = data?.days.find(({ mails, texts }) => mails + texts > 0)
  return (
    <ConfirmDialog
      title="Turn reminders on"
      action={
        data === undefined || first === undefined
          ? 'Turn on'
          : `Turn on, first message ${shortDay(first.day, saved.today)}`
      }
      isRisky={false}
      busy={busy}
      disabled={data === undefined}
      problem={problem}
      onConfirm={() =>
        void send(
          (key) => turn({ key, to: 'on' }),
          () => {
            showToast('success', 'Reminders are on.')
            onClose()
          },
        )
      }
      onClose={onClose}
    >
      {data === undefined && preview.isError && (
        <LoadFailure
          what="the first seven days"
          error={preview.error}
          retrying={preview.isFetching}
          onRetry={() => void preview.refetch()}
        />
      )}
      {data === undefined && !preview.isError && (
        <LoadingRows what="the first seven days" rows={3} />
      )}
      {data !== undefined && <FirstWeek preview={data} first={first?.day ?? null} />}
    </ConfirmDialog>
  )
}

/** The first seven days, as the preview computes them with the rules that send. */
function FirstWeek({
  preview,
  first,
}: {
  readonly preview: SchedulePreview
  readonly first: string | null
}) {
  const { days, firstWeek, catchUps, replaced, dailyLimit, computedFrom, all } = preview
  const week = days.slice(0, 7)
  const sum = (pick: (day: (typeof week)[number]) => number) =>
    formatCount(week.reduce((total, day) => total + pick(day), 0))
  return (
    <div className="turn-week">
      <p>
        The first seven days bring {countOf(firstWeek, 'message')}
        {first !== null && `, the first on ${weekdayDate(first)}`}.
        {computedFrom.clients < all.clients &&
          ` This is of the first ${countOf(computedFrom.clients, 'client')} of ${formatCount(all.clients)}.`}
      </p>
      <div className="turn-days" aria-hidden="true">
        <DayLine days={week} chosen={null} onChoose={null} />
      </div>
      <dl className="turn-descriptions">
        <dt>E-mails</dt>
        <dd>{sum(({ mails }) => mails)}</dd>
        <dt>Texts</dt>
        <dd>{sum(({ texts }) => texts)}</dd>
        <dt>Catch-ups: the latest missed step of an invoice</dt>
        <dd>{formatCount(catchUps)}</dd>
        <dt>Older missed steps, replaced by them</dt>
        <dd>{formatCount(replaced)}</dd>
        <dt>Most clients in a day</dt>
        <dd>{formatCount(dailyLimit)}</dd>
      </dl>
      <p>
        More clients than that wait for the next day: a limit delays a reminder and never drops it.
      </p>
    </div>
  )
}

/** Asks before messages stay away. */
export function TurnOffDialog({ saved, onClose }: TurnDialogProps) {
  const { data } = useSavedPreview(saved)
  const [turn] = useTurnRemindersMutation()
  const { busy, problem, send } = useSending<object>()
  return (
    <ConfirmDialog
      title="Turn reminders off"
      action="Turn off"
      busy={busy}
      problem={problem}
      onConfirm={() =>
        void send(
          (key) => turn({ key, to: 'off' }),
          () => {
            showToast('success', 'Reminders are off.')
            onClose()
          },
        )
      }
      onClose={onClose}
    >
      <div className="turn-week">
        <p>Nothing goes out from this moment. A message that is being sent still arrives.</p>
        <dl className="turn-descriptions">
          <dt>Planned in 30 days, not sent</dt>
          <dd>{data === undefined ? '…' : formatCount(data.goesOut.mails + data.goesOut.texts)}</dd>
          <dt>Their steps</dt>
          <dd>Stay open</dd>
          <dt>Client’s page</dt>
          <dd>Stays open</dd>
          <dt>When you turn on again</dt>
          <dd>Only the latest missed step</dd>
        </dl>
      </div>
    </ConfirmDialog>
  )
}
