/** An amount as a shop writes it: `19.90 EUR`, `20 EUR`, `0.0005 BTC`. */
export function money(amount: number, currency: string | undefined): string {
  const decimals = String(amount).split('.')[1]?.length;
  const digits = decimals === 1 ? amount.toFixed(2) : String(amount);
  return currency === undefined || currency === '' ? digits : `${digits} ${currency}`;
}
