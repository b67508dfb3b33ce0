import { publicPlan } from '#contracts/plans'
import { dialTicks, Hatching, Illustration, Part, pointOnDial } from './illustration.tsx'

/** The fee: the balance weighs an invoice. A tick is one percent; the pointer rests on the fee. */
export function LetterBalance() {
  return (
    <Illustration
      title={`A letter balance weighing an invoice; its pointer rests on ${fee}`}
      ticksAt={74}
    >
      <Part tone="a" d="M150 384c0-17 26-22 60-24h52c34 2 60 7 60 24z" />
      <Part tone="b" d="M262 360c34 2 60 7 60 24h-38c0-14-12-22-22-24z" />
      <Part tone="a" d="M224 360V206h24v154z" />
      <Part tone="b" d="M240 360V206h8v154z" />
      <Hatching top={222} bottom={360} left={240} right={248} />
      <Part tone="paper" d="M220.7 351.2A146 146 0 0 1 90.4 195.8L236 206z" />
      <path className="il-thin il-faint" d="M216.8 342.7A138 138 0 0 1 98.1 201.2" />
      <path className="il-thin" d={percents} />
      <path strokeWidth="9" d="m236 206 122-28" />
      <path stroke="var(--il-b)" strokeWidth="5" d="m236 206 122-28" />
      <path strokeWidth="6" d="M358 178v-36" />
      <path d="m236 206 122 24v-52" />
      <Part tone="b" d="M278 130h160l-10 14H288z" />
      <Part tone="paper" d="M304 130V40h108v90z" />
      <path d="M320 60h46m-46 16h76m-76 14h76m-76 14h40" />
      <path strokeWidth="3" d="M380 104h16" />
      <Part tone="a" d="m304 40 8-8h108l-8 8zM412 40l8-8v90l-8 8z" />
      <Hatching top={40} bottom={130} left={412} right={420} />
      <circle cx="358" cy="178" r="6" fill="var(--il-paper)" />
      <path
        className="il-needle"
        d={`M236 206L${pointOnDial(pivot, 150, -170 + 4 * Number.parseFloat(fee))}`}
      />
      <circle cx="236" cy="206" r="15" fill="var(--il-a)" />
      <circle className="il-dot" cx="236" cy="206" r="5" />
      <text x="150" y="363" textAnchor="middle" fontSize="22">
        {fee}
      </text>
    </Illustration>
  )
}

const fee = publicPlan.features.feeOnCustomerPayments
const pivot = [236, 206] as const
const percents = dialTicks({
  center: pivot,
  radius: 138,
  from: -170,
  to: -90,
  count: 21,
  longEvery: 5,
  lengths: [20, 10],
})
