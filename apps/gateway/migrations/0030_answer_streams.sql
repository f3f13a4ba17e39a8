CREATE TABLE "quarry"."answer_streams" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"end" jsonb,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"followed_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "quarry"."answer_streams" ADD CONSTRAINT "answer_streams_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."answer_streams" ADD CONSTRAINT "answer_streams_agent" FOREIGN KEY ("organization_id","agent_id") REFERENCES "quarry"."agents"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "answer_streams_of_agent" ON "quarry"."answer_streams" USING btree ("organization_id","agent_id");--> statement-breakpoint
CREATE INDEX "answer_streams_of_conversation" ON "quarry"."answer_streams" USING btree ("conversation_id");