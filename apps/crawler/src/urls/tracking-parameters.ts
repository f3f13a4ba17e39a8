/** Lists query parameters, in lower case, that identify a visitor, a campaign or a session. They do not change the page. */
const TRACKING = new Set(
  (
    'gclid gclsrc dclid wbraid gbraid gad_source gad_campaignid srsltid _ga _gl fbclid msclkid yclid ysclid twclid ttclid ' +
    'li_fat_id igshid igsh mc_cid mc_eid mkt_tok _hsenc _hsmi vero_id vero_conv oly_anon_id oly_enc_id s_cid wickedid ' +
    'rb_clickid epik _kx _openstat phpsessid jsessionid aspsessionid sessionid session_id sessid oscsid zenid cfid cftoken'
  ).split(' '),
);
const TRACKING_PREFIXES = ['utm_', 'hsa_', 'pk_', 'mtm_', 'piwik_', 'matomo_'];

/** Matches a `sid` parameter with a session id of a forum. A shorter `sid` can be the id of a story. */
const SESSION = /^sid=[0-9a-z]{26,}$/i;

/** Returns whether a query parameter only identifies a visitor, campaign or session. @param parameter such as `name=value` */
export function isTrackingParameter(parameter: string): boolean {
  const lower = parameter.split('=', 1).join().toLowerCase();
  const hasTrackingName = TRACKING.has(lower) || TRACKING_PREFIXES.some((prefix) => lower.startsWith(prefix));
  return hasTrackingName || SESSION.test(parameter);
}
