import { randomBytes } from 'node:crypto'
import type pg from 'pg'

/**
 * Makes every such statement on `table` fail with this SQLSTATE; 53100 is a full disk.
 * The returned function ends the failures.
 */
export async function refuseWrites(
  pool: pg.Pool,
  statement: 'INSERT' | 'UPDATE' | 'INSERT OR UPDATE',
  table: string,
  sqlState = '53100',
): Promise<() => Promise<void>> {
  const name = `refuse_${randomBytes(4).toString('hex')}`
  await pool.query(`
    CREATE FUNCTION public.${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file "base/1/1": No space left on device' USING ERRCODE = '${sqlState}'; END $$;
    CREATE TRIGGER ${name} BEFORE ${statement} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION public.${name}()`)
  return async () => {
    await pool.query(`DROP TRIGGER ${name} ON ${table}; DROP FUNCTION public.${name}()`)
  }
}
