/** Parameters that say where a visitor came from, or who it is: the page is the same without them. Lower case. */
const TRACKING = new Set(
  (
    'gclid gclsrc dclid wbraid gbraid gad_source gad_campaignid srsltid _ga _gl fbclid msclkid yclid ysclid twclid ttclid ' +
    'li_fat_id igshid igsh mc_cid mc_eid mkt_tok _hsenc _hsmi vero_id vero_conv oly_anon_id oly_enc_id s_cid wickedid ' +
    'rb_clickid epik _kx _openstat phpsessid jsessionid aspsessionid sessionid session_id sessid oscsid zenid cfid cftoken'
  ).split(' '),
);
const TRACKING_PREFIXES = ['utm_', 'hsa_', 'pk_', 'mtm_', 'piwik_', 'matomo_'];

/** What forums call `sid` is a session; elsewhere it may be a story, which has a shorter one. */
const SESSION = /^sid=[0-9a-z]{26,}$/i;

/** @param parameter such as `name=value` */
export function isTrackingParameter(parameter: string): boolean {
  const lower = parameter.split('=', 1).join().toLowerCase();
  const isNamedSo = TRACKING.has(lower) || TRACKING_PREFIXES.some((prefix) => lower.startsWith(prefix));
  return isNamedSo || SESSION.test(parameter);
}
