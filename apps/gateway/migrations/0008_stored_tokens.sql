CREATE TABLE "quarry"."token_reservations" (
	"organization_id" uuid NOT NULL,
	"datasource_id" uuid NOT NULL,
	"document_key" text NOT NULL,
	"tokens" bigint NOT NULL,
	CONSTRAINT "token_reservations_datasource_id_document_key_pk" PRIMARY KEY("datasource_id","document_key")
);
--> statement-breakpoint
CREATE TABLE "quarry"."token_totals" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"tokens" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "quarry"."organizations" ADD COLUMN "room_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "quarry"."token_reservations" ADD CONSTRAINT "token_reservations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."token_reservations" ADD CONSTRAINT "token_reservations_datasource_id_datasources_id_fk" FOREIGN KEY ("datasource_id") REFERENCES "quarry"."datasources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."token_totals" ADD CONSTRAINT "token_totals_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "datasources_waiting_for_room" ON "quarry"."datasources" USING btree ("organization_id") WHERE "quarry"."datasources"."status" = 'usage_limit_reached';--> statement-breakpoint
-- Once a statement, not once a row: a datasource of many documents is removed in one step.
CREATE FUNCTION "quarry"."count_tokens"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO "quarry"."token_totals" AS total (organization_id, tokens)
		SELECT organization_id, sum(tokens) FROM added GROUP BY organization_id
		ON CONFLICT (organization_id) DO UPDATE SET tokens = total.tokens + excluded.tokens;
	ELSIF TG_OP = 'UPDATE' THEN
		UPDATE "quarry"."token_totals" AS total SET tokens = total.tokens + change.tokens
		FROM (
			SELECT organization_id, sum(tokens) AS tokens
			FROM (SELECT organization_id, tokens FROM added UNION ALL SELECT organization_id, -tokens FROM gone) AS both_sides
			GROUP BY organization_id
		) AS change
		WHERE total.organization_id = change.organization_id AND change.tokens <> 0;
	ELSE
		UPDATE "quarry"."token_totals" AS total SET tokens = total.tokens - change.tokens
		FROM (SELECT organization_id, sum(tokens) AS tokens FROM gone GROUP BY organization_id) AS change
		WHERE total.organization_id = change.organization_id;
	END IF;
	RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "count_added_tokens" AFTER INSERT ON "quarry"."token_reservations" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "quarry"."count_tokens"();--> statement-breakpoint
CREATE TRIGGER "count_changed_tokens" AFTER UPDATE ON "quarry"."token_reservations" REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "quarry"."count_tokens"();--> statement-breakpoint
CREATE TRIGGER "count_removed_tokens" AFTER DELETE ON "quarry"."token_reservations" REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION "quarry"."count_tokens"();--> statement-breakpoint
-- What is stored already.
INSERT INTO "quarry"."token_reservations" (organization_id, datasource_id, document_key, tokens)
SELECT organization_id, datasource_id, document_key, stored_tokens FROM "quarry"."documents" WHERE stored_tokens > 0
UNION ALL
SELECT organization_id, id, document_key, stored_tokens FROM "quarry"."datasources" AS datasource
WHERE document_key IS NOT NULL AND stored_tokens > 0
AND NOT EXISTS (SELECT 1 FROM "quarry"."documents" AS document WHERE document.datasource_id = datasource.id);
