import { Hatching, Illustration, Part } from './illustration.tsx'

/** The line of an invoice: a chain from sent to paid above a rod of days. The pin marks today. */
export function SurveyorsChain() {
  return (
    <Illustration title="A surveyor's chain from sent to paid, with e-mails and texts on it; a pin marks today">
      <Staff x={74} />
      <Staff x={426} />
      <path strokeWidth="4" d="M70 50h20v20H70z" />
      <path strokeWidth="4" d="m422 61 7 7 14-16" />
      <path strokeWidth="3" d="M94 114h8q16 0 16 16t-16 16h-8m332-32h-8q-16 0-16 16t16 16h8" />
      <path strokeWidth="7" d={links} />
      <path stroke="var(--il-b)" strokeWidth="3" d={links} />
      {joints.map(({ x, y }) => (
        <circle key={x} cx={x} cy={y} r="5" fill="var(--il-paper)" />
      ))}
      <Part tone="paper" d="M104 354h312v30H104z" />
      <Part tone="b" d="M406 354h10v30h-10z" />
      <path className="il-thin" d={days} />
      <g fontSize="12" textAnchor="middle">
        {[3, 7, 10, 14].map((day) => (
          <text key={day} x={xOf(day)} y="379">
            {day}
          </text>
        ))}
      </g>
      {messages.map(({ day, mark }) => (
        <g key={day} transform={`translate(${xOf(day)} ${chainAt(xOf(day))})`}>
          <path className="il-faint" strokeDasharray="3 7" d={`M0 24V${348 - chainAt(xOf(day))}`} />
          <circle r="17" fill="var(--il-a)" />
          <path className="il-dot" d={mark} />
        </g>
      ))}
      <g transform={`translate(${xOf(14)} ${chainAt(xOf(14))})`}>
        <circle className="il-needle" r="12" />
        <path className="il-needle" d={`M0 12V${336 - chainAt(xOf(14))}`} />
      </g>
      <Part tone="accent" d={`M${xOf(14) - 8} 328h16l-8 24z`} />
    </Illustration>
  )
}

const xOf = (day: number): number => Math.round(112 + 14 * day)
const chainAt = (x: number): number => Math.round(130 + 84 * (1 - ((x - 260) / 142) ** 2))
const joints = [0.5, 3, 5, 7, 8.5, 10, 12, 14, 16.5, 18.8, 20.7].map((day) => ({
  x: xOf(day),
  y: chainAt(xOf(day)),
}))
const links = joints.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
const days = Array.from(
  { length: 21 },
  (_, day) => `M${xOf(day)} 354v${[0, 3, 7, 10, 14].includes(day) ? 12 : 6}`,
).join('')

const email = 'm0-9 9 9-9 9-9-9z'
const text = 'M-8 0a8 8 0 0 1 16 0a8 8 0 0 1-16 0z'
const messages = [
  { day: 3, mark: email },
  { day: 7, mark: text },
  { day: 10, mark: email },
]

function Staff({ x }: { x: number }) {
  return (
    <>
      <Part tone="a" d={`M${x} 80h20v286l-10 18-10-18z`} />
      <Part tone="b" d={`M${x + 13} 80h7v286l-7 12z`} />
      <Hatching top={86} bottom={366} left={x + 13} right={x + 20} rise={5} />
      <path d={`M${x} 190h20m-20 44h20m-20 44h20m-20 44h20m-20 44h20`} />
      <Part tone="ink" d={`M${x} 190h13v44h-13zM${x} 278h13v44h-13z`} />
      <Part tone="paper" d={`M${x - 18} 32h56v56h-56z`} />
      <Part tone="b" d={`M${x + 30} 32h8v56h-8z`} />
      <Hatching top={32} bottom={88} left={x + 30} right={x + 38} rise={5} />
    </>
  )
}
