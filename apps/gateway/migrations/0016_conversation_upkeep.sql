CREATE TABLE "quarry"."source_erasures" (
	"datasource_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"requested_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "quarry"."messages" ADD COLUMN "place" bigserial NOT NULL;--> statement-breakpoint
UPDATE "quarry"."messages" SET "place" = "ordered"."place"
FROM (
	SELECT "id", row_number() OVER (ORDER BY "written_at", "conversation_id", "turn", "role" DESC) AS "place"
	FROM (SELECT *, max("created_at") OVER (PARTITION BY "conversation_id", "turn") AS "written_at" FROM "quarry"."messages") AS "turns"
) AS "ordered"
WHERE "messages"."id" = "ordered"."id";--> statement-breakpoint
ALTER TABLE "quarry"."organizations" ADD COLUMN "conversation_retention_days" integer;--> statement-breakpoint
ALTER TABLE "quarry"."source_erasures" ADD CONSTRAINT "source_erasures_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "source_erasures_oldest" ON "quarry"."source_erasures" USING btree ("requested_at");--> statement-breakpoint
CREATE INDEX "conversations_oldest" ON "quarry"."conversations" USING btree ("organization_id","updated_at");--> statement-breakpoint
CREATE INDEX "messages_in_order" ON "quarry"."messages" USING btree ("conversation_id","place");--> statement-breakpoint
CREATE INDEX "messages_of_datasource" ON "quarry"."messages" USING gin (jsonb_path_query_array("sources", '$[*].datasource_id') jsonb_path_ops);