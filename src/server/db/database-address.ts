/**
 * The address with the schema's search path behind its own `options`: of two settings of one name PostgreSQL takes the last. Everything
 * else in it stays.
 */
export function addressOnSchema(address: string, schema: string): string {
  const url = new URL(address)
  const options = [...url.searchParams.getAll('options'), `-c search_path=${schema},public`]
  url.searchParams.set('options', options.join(' ').trim())
  return url.href
}
