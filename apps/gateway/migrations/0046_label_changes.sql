-- Reports changes of what responses show of a datasource to the caches of all gateways, at the commit of the transaction.
CREATE FUNCTION "quarry"."notify_label_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('quarry_label_changes', '');
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "datasource_label_changed" AFTER UPDATE OF "name", "type", "document_key", "config", "metadata"
ON "quarry"."datasources" FOR EACH ROW
WHEN (
	(OLD."name", OLD."type", OLD."document_key", OLD."config", OLD."metadata")
	IS DISTINCT FROM (NEW."name", NEW."type", NEW."document_key", NEW."config", NEW."metadata")
)
EXECUTE FUNCTION "quarry"."notify_label_change"();
--> statement-breakpoint
CREATE TRIGGER "datasources_removed" AFTER DELETE
ON "quarry"."datasources" FOR EACH STATEMENT EXECUTE FUNCTION "quarry"."notify_label_change"();
