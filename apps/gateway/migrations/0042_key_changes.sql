-- Reports changes of API keys and organizations to the caches of all gateways, at the commit of the transaction. The last use and the
-- name of a key do not matter to them.
CREATE FUNCTION "quarry"."notify_key_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('quarry_key_changes', '');
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "api_keys_changed"
AFTER UPDATE OF "organization_id", "hash", "scopes", "agent_ids", "datastore_ids", "root", "compatibility", "expires_at", "revoked_at" OR DELETE
ON "quarry"."api_keys" FOR EACH STATEMENT EXECUTE FUNCTION "quarry"."notify_key_change"();
--> statement-breakpoint
CREATE TRIGGER "organizations_removed" AFTER UPDATE OF "removed_at" OR DELETE
ON "quarry"."organizations" FOR EACH STATEMENT EXECUTE FUNCTION "quarry"."notify_key_change"();
