import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from '@jest/globals'
import { strFromU8, unzipSync } from 'fflate'
import * as xlsx from 'xlsx'
import { amount, count, day, text, time } from '#services/tables/cell'
import { createWorkbook } from '#services/tables/workbook'

const users = {
  name: 'Users',
  columns: [
    { header: 'Email', width: 30 },
    { header: 'Total', width: 12 },
    { header: 'Joined (UTC)', width: 20 },
    { header: 'Plans', width: 8 },
  ],
}
const row = (email: string) => [
  text(email),
  amount(-39.5, 'usd'),
  time('2026-03-01T12:00:00.000Z'),
  count(2),
]
const never = new AbortController().signal

async function workbookOfUsers(signal: AbortSignal) {
  const workbook = createWorkbook(signal)
  await workbook.addSheet(users)
  return workbook
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" } as const

/** The texts as XML 1.0 reads them, with the escapes of ECMA-376, ST_Xstring. */
function textsOf(sharedStrings: string): readonly string[] {
  return [...sharedStrings.matchAll(/<t(?: [^>]*)?>([^<]*)<\/t>/g)].map(([, written = '']) =>
    written
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(/&(\w+);/g, (_, name: keyof typeof entities) => entities[name])
      .replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
  )
}

async function partsOf(rows: readonly (readonly ReturnType<typeof text>[])[]) {
  const workbook = await workbookOfUsers(never)
  try {
    await workbook.add(rows)
    const parts = unzipSync(await workbook.finish())
    return (path: string) => strFromU8(parts[path] ?? new Uint8Array())
  } finally {
    await workbook.close()
  }
}

describe('an XLSX file', () => {
  it('has one sheet with a frozen header, column widths, and cells of the right types', async () => {
    const part = await partsOf([row('dana@example.com')])
    expect(part('xl/workbook.xml').match(/<sheet name="Users"/g)).toHaveLength(1)
    const sheet = part('xl/worksheets/sheet1.xml')
    expect(sheet).toContain(
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    )
    expect(sheet.match(/<col /g)).toHaveLength(4)
    // A shared text, a number with two decimals, a date as a number of days, a whole number.
    expect(sheet).toMatch(/<c r="A2" t="s"><v>4<\/v><\/c>/)
    expect(sheet).toMatch(/<c r="B2" s="\d"><v>-39.5<\/v><\/c>/)
    expect(sheet).toMatch(/<c r="C2" s="\d"><v>46082.5<\/v><\/c>/)
    expect(sheet).toMatch(/<c r="D2" s="\d"><v>2<\/v><\/c>/)
    expect(sheet).not.toContain('<f>')
    expect(part('xl/sharedStrings.xml')).toContain('dana@example.com')
    expect(part('xl/styles.xml')).toMatch(/formatCode="yyyy\\?-mm\\?-dd\\? hh:mm:ss"/)
  }, 60_000)

  it('has several sheets, each with its rows and a frozen header', async () => {
    const workbook = await workbookOfUsers(never)
    await workbook.add([row('dana@example.com')])
    await workbook.addSheet({ name: 'Months', columns: [{ header: 'Last day', width: 12 }] })
    await workbook.add([[day('2026-03-31')]])
    const parts = unzipSync(await workbook.finish())
    await workbook.close()
    const part = (path: string) => strFromU8(parts[path] ?? new Uint8Array())
    expect(part('xl/workbook.xml')).toMatch(/<sheet name="Users".*<sheet name="Months"/)
    const second = part('xl/worksheets/sheet2.xml')
    expect(second).toContain('state="frozen"')
    expect(second).toMatch(/<c r="A2" s="\d"><v>46112<\/v><\/c>/)
    expect(part('xl/styles.xml')).toMatch(/formatCode="yyyy\\?-mm\\?-dd"/)
  }, 60_000)

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1'])(
    'keeps %j a text with a leading apostrophe',
    async (given) => {
      const part = await partsOf([row(given)])
      const strings = part('xl/sharedStrings.xml')
      expect(strings).toMatch(new RegExp(`<t[^>]*>&apos;|<t[^>]*>'`))
      expect(part('xl/worksheets/sheet1.xml')).not.toContain('<f>')
    },
    60_000,
  )

  it('has texts that two readers read back as they were', async () => {
    const texts = ['_x0041_', '_x000D_', '_x005F_', '_X0041_', '_x0041\u0001', 'a\r\nb\tc', ' a ']
    const others = ['\0', '\ud800', '\udc00x', '\uffff', '😀', '<&>"\'', "o'clock", 'A;=1+1']
    const given = [...texts, ...others]
    const workbook = await workbookOfUsers(never)
    await workbook.addSheet({ name: 'Texts', columns: [{ header: '_x0041_', width: 9 }] })
    await workbook.add(given.map((each) => [text(each)]))
    const file = await workbook.finish()
    await workbook.close()
    const strings = strFromU8(unzipSync(file)['xl/sharedStrings.xml'] ?? new Uint8Array())
    expect(textsOf(strings)).toEqual(expect.arrayContaining(given))
    const { Texts: sheet = {} } = xlsx.read(file).Sheets
    const cells = xlsx.utils.sheet_to_json<readonly string[]>(sheet, { header: 1 })
    expect(cells.flat()).toEqual(['_x0041_', ...given])
  }, 60_000)

  it('has 20,000 rows, and no text is lost', async () => {
    const workbook = await workbookOfUsers(never)
    for (let from = 0; from < 20_000; from += 1_000)
      await workbook.add(
        Array.from({ length: 1_000 }, (_, n) => row(`user${from + n}@example.com`)),
      )
    const parts = unzipSync(await workbook.finish())
    await workbook.close()
    const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
    expect(sheet.match(/<row /g)).toHaveLength(20_001)
    const strings = strFromU8(parts['xl/sharedStrings.xml'] ?? new Uint8Array())
    expect(strings).toContain('user0@example.com')
    expect(strings).toContain('user19999@example.com')
  }, 60_000)

  it('ends its thread when it is aborted', async () => {
    const abort = new AbortController()
    const workbook = await workbookOfUsers(abort.signal)
    await workbook.add([row('dana@example.com')])
    const finished = workbook.finish()
    abort.abort(new Error('The client is gone.'))
    await expect(finished).rejects.toThrow('ended early')
    await expect(workbook.add([])).rejects.toThrow('The client is gone.')
  }, 60_000)

  it('keeps its thread until it is closed, so that no exit overtakes the file', async () => {
    const workbook = await workbookOfUsers(never)
    await workbook.add([row('dana@example.com')])
    await workbook.finish()
    await sleep(300)
    await expect(workbook.add([])).resolves.toBeUndefined()
    await workbook.close()
  }, 60_000)

  it('reports a thread that fails', async () => {
    const failing = () => new Worker("throw new Error('no memory')", { eval: true })
    const workbook = createWorkbook(never, failing)
    await expect(workbook.add([])).rejects.toThrow('no memory')
    await workbook.close()
  }, 60_000)
})
